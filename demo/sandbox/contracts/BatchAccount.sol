// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// What an account with a key hands its calls on to (EIP-7702), so that several of them are one transaction.
contract BatchAccount {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    error OnlyItself();

    /// `isValidSignature` (ERC-1271).
    bytes4 private constant VALID = 0x1626ba7e;

    /// Makes all calls, or none of them.
    function execute(Call[] calldata calls) external payable {
        _requireItself();
        for (uint256 i = 0; i < calls.length; i++) {
            (bool isDone, bytes memory answer) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            if (isDone) continue;
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
    }

    /// Makes the calls that can be made: how a careless account does it.
    function attempt(Call[] calldata calls) external payable {
        _requireItself();
        for (uint256 i = 0; i < calls.length; i++) {
            (bool isDone, ) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            isDone;
        }
    }

    /// An account with code is asked who signed for it: its own key did.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (address signer, ECDSA.RecoverError fault, ) = ECDSA.tryRecover(hash, signature);
        return fault == ECDSA.RecoverError.NoError && signer == address(this) ? VALID : bytes4(0xffffffff);
    }

    receive() external payable {}

    function _requireItself() private view {
        require(msg.sender == address(this), OnlyItself());
    }
}
