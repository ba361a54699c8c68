// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// The code that an account with a key delegates to (EIP-7702), so that several calls are one transaction.
contract BatchAccount {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    error OnlyItself();

    /// What `isValidSignature` returns for a valid signature (ERC-1271).
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

    /// Makes all calls, and ignores those that fail, as a careless account does.
    function attempt(Call[] calldata calls) external payable {
        _requireItself();
        for (uint256 i = 0; i < calls.length; i++) {
            (bool isDone, ) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            isDone;
        }
    }

    /// An account with code verifies its own signatures. This one accepts those of its key.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (address signer, ECDSA.RecoverError fault, ) = ECDSA.tryRecover(hash, signature);
        return fault == ECDSA.RecoverError.NoError && signer == address(this) ? VALID : bytes4(0xffffffff);
    }

    receive() external payable {}

    function _requireItself() private view {
        require(msg.sender == address(this), OnlyItself());
    }
}
