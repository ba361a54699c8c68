// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// Holds one kind of token until a secret is shown or a number of blocks has passed.
///
/// The sandbox's own contract, in the public wire form of generation "2": the function selectors, the order id,
/// the events, the errors and the EIP-712 domain are those that services of this family use in public.
contract HTLC is EIP712 {
    using SafeERC20 for IERC20;

    struct Order {
        address initiator;
        address redeemer;
        uint256 initiatedAt;
        uint256 timelock;
        uint256 amount;
        uint256 fulfilledAt;
    }

    error HTLC__ZeroAddressRedeemer();
    error HTLC__ZeroTimelock();
    error HTLC__ZeroAmount();
    error HTLC__SameInitiatorAndRedeemer();
    error HTLC__DuplicateOrder();
    error HTLC__OrderNotInitiated();
    error HTLC__OrderFulfilled();
    error HTLC__OrderNotExpired();
    error HTLC__IncorrectSecret();
    error HTLC__InvalidInitiatorSignature();
    error HTLC__InvalidRedeemerSignature();

    event Initiated(bytes32 indexed orderID, bytes32 indexed secretHash, uint256 indexed amount);
    event Redeemed(bytes32 indexed orderID, bytes32 indexed secretHash, bytes secret);
    event Refunded(bytes32 indexed orderID);

    bytes32 private constant INITIATE_TYPEHASH =
        keccak256("Initiate(address redeemer,uint256 timelock,uint256 amount,bytes32 secretHash)");
    bytes32 private constant REFUND_TYPEHASH = keccak256("Refund(bytes32 orderId)");

    /// The one token this contract holds.
    IERC20 public immutable token;

    /// Orders by id. `initiatedAt` and `fulfilledAt` are block numbers; `timelock` counts blocks.
    mapping(bytes32 orderID => Order) public orders;

    constructor(IERC20 token_) EIP712("HTLC", "2") {
        token = token_;
    }

    /// Locks the caller's own tokens. The caller has allowed this contract to move them.
    function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) external {
        _initiate(msg.sender, msg.sender, redeemer, timelock, amount, secretHash);
    }

    /// Locks the caller's tokens in the name of another, who gets them back on a refund.
    function initiateOnBehalf(
        address initiator,
        address redeemer,
        uint256 timelock,
        uint256 amount,
        bytes32 secretHash
    ) external {
        _initiate(msg.sender, initiator, redeemer, timelock, amount, secretHash);
    }

    /// Locks the tokens of whoever signed for it; the caller only pays the gas. ERC-1271 accounts may sign too.
    function initiateWithSignature(
        address initiator,
        address redeemer,
        uint256 timelock,
        uint256 amount,
        bytes32 secretHash,
        bytes calldata signature
    ) external {
        bytes32 message = keccak256(abi.encode(INITIATE_TYPEHASH, redeemer, timelock, amount, secretHash));
        require(
            SignatureChecker.isValidSignatureNow(initiator, _hashTypedDataV4(message), signature),
            HTLC__InvalidInitiatorSignature()
        );
        _initiate(initiator, initiator, redeemer, timelock, amount, secretHash);
    }

    /// Pays the redeemer, whoever shows the secret: 32 bytes whose SHA-256 is the order's secret hash.
    function redeem(bytes32 orderID, bytes calldata secret) external {
        require(secret.length == 32, HTLC__IncorrectSecret());
        Order storage order = _open(orderID);
        bytes32 secretHash = sha256(secret);
        // The id binds the hash, so that the hash itself need not be stored.
        require(_orderID(secretHash, order.initiator) == orderID, HTLC__IncorrectSecret());
        order.fulfilledAt = block.number;
        emit Redeemed(orderID, secretHash, secret);
        token.safeTransfer(order.redeemer, order.amount);
    }

    /// Pays the initiator back once the timelock is over, whoever asks.
    function refund(bytes32 orderID) external {
        Order storage order = _open(orderID);
        require(order.initiatedAt + order.timelock < block.number, HTLC__OrderNotExpired());
        _refund(orderID, order);
    }

    /// Pays the initiator back at any time, if the redeemer agrees: by calling, or by a signature.
    function instantRefund(bytes32 orderID, bytes calldata signature) external {
        Order storage order = _open(orderID);
        if (msg.sender != order.redeemer) {
            bytes32 message = keccak256(abi.encode(REFUND_TYPEHASH, orderID));
            require(
                SignatureChecker.isValidSignatureNow(order.redeemer, _hashTypedDataV4(message), signature),
                HTLC__InvalidRedeemerSignature()
            );
        }
        _refund(orderID, order);
    }

    function _initiate(
        address payer,
        address initiator,
        address redeemer,
        uint256 timelock,
        uint256 amount,
        bytes32 secretHash
    ) private {
        require(redeemer != address(0), HTLC__ZeroAddressRedeemer());
        require(redeemer != initiator, HTLC__SameInitiatorAndRedeemer());
        require(timelock > 0, HTLC__ZeroTimelock());
        require(amount > 0, HTLC__ZeroAmount());
        bytes32 orderID = _orderID(secretHash, initiator);
        // The only guard against a signature used twice: the typed data has neither nonce nor deadline.
        require(orders[orderID].timelock == 0, HTLC__DuplicateOrder());
        orders[orderID] = Order(initiator, redeemer, block.number, timelock, amount, 0);
        emit Initiated(orderID, secretHash, amount);
        token.safeTransferFrom(payer, address(this), amount);
    }

    function _refund(bytes32 orderID, Order storage order) private {
        order.fulfilledAt = block.number;
        emit Refunded(orderID);
        token.safeTransfer(order.initiator, order.amount);
    }

    function _open(bytes32 orderID) private view returns (Order storage order) {
        order = orders[orderID];
        require(order.timelock != 0, HTLC__OrderNotInitiated());
        require(order.fulfilledAt == 0, HTLC__OrderFulfilled());
    }

    function _orderID(bytes32 secretHash, address initiator) private view returns (bytes32) {
        return sha256(abi.encode(block.chainid, secretHash, initiator));
    }
}
